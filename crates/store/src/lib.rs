//! SQLite behind the words of the domain: journal, recall, grants, requests, blobs.
