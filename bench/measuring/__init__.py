"""What bench/run and bench/growth are made of: a module for each thing that is measured."""
