"""Commands that measure synthetic graphs and prompts about them."""
