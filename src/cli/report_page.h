/**
 * @file report_page.h
 * The page of reports, src/cli/report/page.html, which the build makes part of the program.
 */
#ifndef CLI_REPORT_PAGE_H
#define CLI_REPORT_PAGE_H

#include <stddef.h>

extern const unsigned char report_page[];
extern const size_t report_page_size;

#endif
