"""How striking events are: RSMF's weights, as the paper defines them and as they were released."""
