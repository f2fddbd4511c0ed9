"""Makes the files of samples/inbox from nothing but the standard library, the same bytes every time."""
