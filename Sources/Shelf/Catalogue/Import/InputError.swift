/// Why the input could not be imported: one sentence for a person.
public enum InputError: Error, Equatable, CustomStringConvertible {
  /// There is no such file, or it cannot be read.
  case unreadable(path: String, reason: String)
  /// There is no package in it.
  case empty(path: String)
  /// The bytes are not what they should be.
  case damaged(path: String, line: Int, reason: String)
  /// A note without a word in it.
  case emptyNote

  public var description: String {
    switch self {
    case .unreadable(let path, let reason):
      "cannot read \(path): \(reason)"
    case .empty(let path):
      "cannot import \(path): it holds no package; nothing was changed"
    case .emptyNote: "cannot keep the note: there is no word in it"
    case .damaged(let path, let line, let reason):
      "cannot import \(path): line \(line) \(reason); nothing was changed"
    }
  }
}
