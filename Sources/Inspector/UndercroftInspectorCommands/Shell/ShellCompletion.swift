/// The completions of the last word of a line.
struct ShellCompletion: Equatable {
  /// The position of the first scalar that a completion replaces.
  let start: Int
  /// The texts that can replace the word, with quotes where they are needed.
  let candidates: [String]
}
