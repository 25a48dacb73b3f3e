/**
 * @file attributes.h
 * What C17 has no words for, where the compiler has.
 */
#ifndef DT_BASE_ATTRIBUTES_H
#define DT_BASE_ATTRIBUTES_H

/** Argument `text` (from 1) is a printf format for the arguments from `first` on (0: a va_list). */
#if defined(__GNUC__) || defined(__clang__)
#define DT_PRINTF_LIKE(text, first) __attribute__((format(printf, text, first)))
#else
#define DT_PRINTF_LIKE(text, first)
#endif

#endif
