/* detent: the command-line program, a client of the library like any other. */

#include "help.h"
#include "message.h"
#include "options.h"
#include "store.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* A standard stream that is closed must not become the number of the next file that is opened: what is printed
 * would end up in there. It becomes /dev/null, opened so that using it fails. */
static void hold_standard_streams(void)
{
    for (int fd = 0; fd <= 2; fd++) {
        if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", fd == 0 ? O_WRONLY : O_RDONLY) < 0) {
            _exit(EXIT_IO);
        }
    }
}

/* OpenBLAS, where that is the BLAS: its threads do nothing for matrices as small as these but wait for each other. */
extern void openblas_set_num_threads(int count) __attribute__((weak));

static void keep_to_one_thread(void)
{
    if (openblas_set_num_threads) {
        openblas_set_num_threads(1);
    }
}

int main(int argc, char **argv)
{
    keep_to_one_thread();
    hold_standard_streams();
    /* A closed pipe and a file at its size limit are errors of writing like others: found, said, with an exit code. */
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN);

    cli_options options;
    int code = EXIT_USAGE;
    if (parse_options(argc, argv, &options)) {
        code = options.help      ? help_command(&options)
               : options.version ? version_command(&options)
                                 : options.command->run(&options);
    } else if (!options.parameters || !options.law_keys || !options.files) {
        code = EXIT_MEMORY;
    }
    free(options.parameters);
    free(options.law_keys);
    free(options.files);
    if (store_is_broken()) {
        fflush(NULL);
        _exit(code);
    }
    return code;
}
