"""What all backends share that talk HTTP to a model: connections, retries, failures, answers, conversations, plans."""
