#!/bin/sh
# Copies the documents to the second disk, newest first.
set -eu
source_folder="${1:?folder to copy}"
target="/mnt/second/$(date +%Y-%m-%d)"
mkdir -p "$target"
cp -a "$source_folder/." "$target/"
echo "copied to $target"
