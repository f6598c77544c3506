/// An error in the input, with a description of one sentence for the user.
public enum InputError: Error, Equatable, CustomStringConvertible {
  /// The file is missing or cannot be read.
  case unreadable(path: String, reason: String)
  /// The file contains no package.
  case empty(path: String)
  /// A line of the file is not in the expected format.
  case damaged(path: String, line: Int, reason: String)
  /// The text of a note is blank.
  case emptyNote

  public var description: String {
    switch self {
    case .unreadable(let path, let reason):
      "cannot read \(path): \(reason)"
    case .empty(let path):
      "cannot import \(path): it contains no package; nothing was changed"
    case .emptyNote: "cannot save the note: it contains no word"
    case .damaged(let path, let line, let reason):
      "cannot import \(path): line \(line) \(reason); nothing was changed"
    }
  }
}
