/// What a committed transaction survives.
public enum SQLiteDurability: Sendable, Hashable {
  /// The power going out: every commit waits for the disk. (`synchronous=FULL`)
  case powerLoss
  /// The process being killed at any moment; power loss may take the last commits, never the file. (`synchronous=NORMAL`)
  case processDeath
  /// As ``processDeath`` while the system runs; power loss may damage the file. (`synchronous=OFF`)
  case relaxed
}
