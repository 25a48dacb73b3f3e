#include "report_column.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum { DEFLATE_LEVEL = 6 };

static const size_t sizes[] = {4, 8, 1};

static void put_little(unsigned char *to, uint64_t bits, size_t size)
{
    for (size_t k = 0; k < size; k++) {
        to[k] = (unsigned char)(bits >> (8 * k));
    }
}

static void put_number(unsigned char *to, report_number type, double value)
{
    uint64_t bits = 0;
    if (type == REPORT_FLOAT) {
        const float number = (float)value;
        uint32_t own;
        memcpy(&own, &number, sizeof own);
        bits = own;
    } else if (type == REPORT_DOUBLE) {
        memcpy(&bits, &value, sizeof bits);
    } else {
        bits = (uint64_t)(int64_t)value;
    }
    put_little(to, bits, sizes[type]);
}

bool report_column(json_writer *json, const char *key, report_number type,
                   const report_table *table)
{
    static const char *const plain[] = {"f32", "f64", "i8"}, *const deflated[] = {"f32z", "f64z",
                                                                                  "i8z"};
    const size_t count = table->count * table->width, length = count * sizes[type];
    uLongf packed_length = compressBound((uLong)length);
    unsigned char *bytes = malloc(length + 1), *packed = malloc(packed_length);
    const bool good = bytes && packed;
    for (size_t i = 0; i < count && good; i++) {
        const double value = table->values[i / table->width * table->stride + i % table->width];
        put_number(bytes + i * sizes[type], type, value);
    }
    if (good) {
        const bool shorter =
            compress2(packed, &packed_length, bytes, (uLong)length, DEFLATE_LEVEL) == Z_OK &&
            packed_length < length;
        json_object(json, key);
        json_base64(json, shorter ? deflated[type] : plain[type], shorter ? packed : bytes,
                    shorter ? packed_length : length);
        json_close(json);
    }
    free(bytes);
    free(packed);
    return good;
}

static bool is_one(const report_table *table)
{
    for (size_t i = 1; i < table->count; i++) {
        for (size_t c = 0; c < table->width; c++) {
            if ((float)table->values[i * table->stride + c] != (float)table->values[c]) {
                return false;
            }
        }
    }
    return true;
}

bool report_column_or_one(json_writer *json, const char *key, const report_table *table)
{
    report_table own = *table;
    own.count = is_one(table) ? 1 : table->count;
    return report_column(json, key, REPORT_FLOAT, &own);
}
