"""Verdicts of a validator on sample values: the only room that knows ``jsonschema``.

A schema's own patterns, sizes and recursion may make any validator run for ever, so judging is done in a process of its
own (``process``, ``worker``) under a limit. ``samples`` and ``verdicts`` are what is done there.
"""
