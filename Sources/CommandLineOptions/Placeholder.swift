enum CommandLineOptionsRoom {}
