"""The vocabulary as data: what each word or phrase stands for, one module a language."""
