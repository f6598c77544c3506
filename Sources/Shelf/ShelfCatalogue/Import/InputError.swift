/// An error in the input of the program, whose description is one sentence for the user.
public enum InputError: Error, Equatable, CustomStringConvertible {
  /// The file is missing or cannot be read.
  case unreadable(path: String, reason: String)
  /// The file contains no package.
  case empty(path: String)
  /// A line of the file is not in the expected format.
  case damaged(path: String, line: Int, reason: String)
  /// The text of a note is blank.
  case emptyNote
  /// The title of a saved search is empty.
  case emptyTitle

  public var description: String {
    switch self {
    case .unreadable(let path, let reason):
      "cannot read \(path.debugDescription): \(reason)"
    case .empty(let path):
      """
      cannot import \(path.debugDescription): the file contains no package; pass a file such as \
      /var/lib/dpkg/status; nothing was changed
      """
    case .emptyNote: "cannot save the note: the text contains no word; pass a text with words"
    case .emptyTitle: "cannot save the search: the title is empty; pass a title with --save"
    case .damaged(let path, let line, let reason):
      """
      cannot import \(path.debugDescription): line \(line) \(reason); correct the file at line \
      \(line), or pass another file; nothing was changed
      """
    }
  }
}
