### What the backends that come with Deputy and their settings are called: the words of their files, for translation.

backends-label-of-offline = No model
backends-label-of-anthropic = Anthropic
backends-label-of-gemini = Google Gemini
backends-label-of-ollama = Ollama
backends-label-of-openai = OpenAI
backends-label-of-openai-compatible = OpenAI-compatible
backends-summary-of-offline = Does file chores without a model, and says what it can't read.
backends-summary-of-anthropic = Claude models from Anthropic.
backends-summary-of-gemini = Gemini models from Google.
backends-summary-of-ollama = Models that Ollama runs on this machine, or on one of yours.
backends-summary-of-openai = Models from OpenAI, also on Azure.
backends-summary-of-openai-compatible = Any server that speaks chat completions: LM Studio, llama.cpp, vLLM, OpenRouter and many more.
backends-setting-base-url = Address
backends-setting-model = Model
backends-setting-thinking = Thinks before it acts
backends-setting-thinking-level = How much it thinks
backends-setting-reasoning-effort = How much it thinks
backends-setting-fetch-model = Fetch the model when it is missing
backends-setting-max-output-tokens = Longest answer, in tokens
backends-hint-anthropic-thinking = Adaptive: as much as the model finds right. Budget: up to a number of tokens, for models that do not know adaptive.
backends-hint-ollama-fetch-model = Models are gigabytes.
backends-hint-openai-base-url = On Azure: https://NAME.openai.azure.com/openai/v1
backends-hint-openai-model = On Azure: the name of the deployment.
backends-hint-openai-compatible-base-url = Usually ends in /v1.
