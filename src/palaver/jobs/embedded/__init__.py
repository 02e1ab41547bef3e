"""Jobs in a home: the threads of the process that has it open run them."""
