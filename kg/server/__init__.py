"""The library over HTTP: REST, MCP and web pages; a factory that takes settings.

`create_app` in `kg.server.app` needs the extra `server`; nothing is imported here, so that the
command line stays light.
"""
