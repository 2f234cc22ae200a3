"""The page: a server for the loopback address, and three rooms to play, to understand and to be asked.

``plywise serve`` starts it; ``plywise.web.app.create_app`` is the application.  It needs the extra ``web``.
"""
