"""Commands about answers to event-order items."""
