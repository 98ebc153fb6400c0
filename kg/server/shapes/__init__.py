"""The shapes of answers, which REST and MCP share: what is in them, and how it is made."""
