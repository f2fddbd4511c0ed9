"""The dialect of `POST /chat/completions`, spoken by OpenAI, Ollama, LM Studio, llama.cpp, vLLM and OpenRouter."""
