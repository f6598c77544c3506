/// What a closure that has seen a row of a script wants next.
public enum ScriptStep: Sendable {
  /// The next row, or the next statement.
  case goOn
  /// Nothing more: what has run stays, the rest is not run.
  case stop
}
