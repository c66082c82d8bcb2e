/* SPDX-License-Identifier: MIT */
/* main.c - the program's entry. */
#include "clock.h"
#include "command.h"
#include "interrupt.h"

int main(int argc, char **argv)
{
    clock_mark_start();
    interrupt_begin();
    return command_main(argc, argv);
}
