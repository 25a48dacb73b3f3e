/* What the tests of the reader share: lists of files, files as texts, an allocator that counts and fails when told to. */
#ifndef TEST_FORMAT_SUPPORT_H
#define TEST_FORMAT_SUPPORT_H

#include "detent/detent.h"
#include "support_ledger.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

enum { MOST_FILES = 1000 };

typedef struct listing {
    char *paths[MOST_FILES];
    size_t count;
} listing;

static inline int compare_paths(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static inline void list_folder(const char *folder, listing *files)
{
    char path[1024];
    snprintf(path, sizeof path, "%s/%s", DETENT_SOURCE_DIR, folder);
    DIR *directory = opendir(path);
    assert_non_null(directory);
    for (struct dirent *entry; (entry = readdir(directory));) {
        size_t length = strlen(entry->d_name);
        if (length > 5 && strcmp(entry->d_name + length - 5, ".yaml") == 0) {
            assert_true(files->count < MOST_FILES);
            size_t size = strlen(path) + length + 2;
            files->paths[files->count] = malloc(size);
            assert_non_null(files->paths[files->count]);
            snprintf(files->paths[files->count++], size, "%s/%s", path, entry->d_name);
        }
    }
    closedir(directory);
    qsort(files->paths, files->count, sizeof *files->paths, compare_paths);
}

static inline void free_listing(listing *files)
{
    for (size_t i = 0; i < files->count; i++) {
        free(files->paths[i]);
    }
}

/* A whole file, with a zero byte behind it. */
static inline char *read_text_file(const char *path, size_t *length)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    assert_int_equal(fseek(file, 0, SEEK_END), 0);
    long size = ftell(file);
    assert_true(size >= 0);
    rewind(file);
    char *text = malloc((size_t)size + 1);
    assert_non_null(text);
    *length = fread(text, 1, (size_t)size, file);
    assert_int_equal(*length, size);
    text[*length] = '\0';
    fclose(file);
    return text;
}

#endif
