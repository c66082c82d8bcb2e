/* SPDX-License-Identifier: MIT */
/* main.c - the program's entry. */
#include <fcntl.h>
#include <unistd.h>

#include "clock.h"
#include "command.h"
#include "interrupt.h"

/* Where the caller closed a standard stream, the next file that is opened would take its place and
 * messages would be written into it. Reading is all that the stand-in can do: results that go nowhere
 * are still an error. */
static void fill_streams(void)
{
    int file;
    do
        file = open("/dev/null", O_RDONLY);
    while (file >= 0 && file <= STDERR_FILENO);
    if (file >= 0)
        close(file);
}

int main(int argc, char **argv)
{
    fill_streams();
    clock_mark_start();
    interrupt_begin();
    return command_main(argc, argv);
}
