/// What a closure that has seen a row wants next.
public enum RowStep: Sendable {
  /// The next row; of a script, also the next statement.
  case `continue`
  /// Nothing more: what has run stays, the rest is not run.
  case stop
}
