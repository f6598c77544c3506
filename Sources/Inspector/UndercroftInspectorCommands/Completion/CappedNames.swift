/// A limited list of names whose longest common prefix is that of all names.
///
/// A shell inserts what all listed names have in common. If the list were only cut, it would insert
/// a text with which some of the omitted names do not begin.
struct CappedNames {
  /// The listed names, which are all names if there are not more than the maximum.
  private(set) var names: [String] = []
  private let maximumCount: Int
  /// The number of scalars with which all names begin.
  private var commonCount = 0

  /// Creates an empty list of at most `maximumCount` names, which is at least 2.
  init(maximumCount: Int) { self.maximumCount = maximumCount }

  /// Adds a name, which is listed if there is room or if it shortens the common prefix.
  mutating func add(_ name: String) {
    guard let first = names.first else {
      names = [name]
      commonCount = name.unicodeScalars.count
      return
    }
    let count = zip(first.unicodeScalars, name.unicodeScalars).prefix { $0 == $1 }.count
    if names.count < maximumCount {
      names.append(name)
    } else if count < commonCount {
      // A name that shortened the prefix less is not needed any more.
      names[maximumCount - 1] = name
    }
    commonCount = min(commonCount, count)
  }

  /// Returns whether further names can change neither the list nor the common prefix, if all of
  /// them begin with `prefix`.
  func isComplete(withPrefix prefix: String) -> Bool {
    names.count == maximumCount && commonCount <= prefix.unicodeScalars.count
  }
}
