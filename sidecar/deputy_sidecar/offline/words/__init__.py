"""The vocabulary as data: what each word or phrase means, a module for each language."""
