enum TK {}
