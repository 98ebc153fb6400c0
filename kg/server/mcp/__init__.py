"""The library as tools for language models (Model Context Protocol)."""
