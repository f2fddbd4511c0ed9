"""The dialect of `POST /chat/completions`, which OpenAI, Ollama, LM Studio, llama.cpp, vLLM and OpenRouter use."""
