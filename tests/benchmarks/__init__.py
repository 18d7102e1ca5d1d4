"""What work costs on stores of 100 to 100,000 tasks: ``python -m tests.benchmarks``."""
