"""What runs the law: population engine, command line, explanation. It imports the law, never the reverse."""
