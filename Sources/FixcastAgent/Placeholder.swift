enum FixcastAgentRoom {}
