"""The page: a local server with three rooms, Play, Explain and Quiz.

``plywise serve`` starts it.  ``plywise.web.app.create_app`` makes the application.  It needs the extra ``web``.
"""
