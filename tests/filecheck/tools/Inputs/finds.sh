#!/bin/sh
# Ends with 1, which is interesting, if the file has the word; without one it is arith.mulf.
if [ $# -eq 2 ]; then word=$1; shift; else word=arith.mulf; fi
grep -q "$word" "$1" && exit 1
exit 0
