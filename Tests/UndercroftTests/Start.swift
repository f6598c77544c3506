// Begins with the next commit.
