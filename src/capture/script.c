/* capture/script.c - the text of capture.py; the Makefile makes lines of it. */
#include "capture/script.h"

const char pks_capture_script[] =
#include "capture/capture.inc"
    ;
