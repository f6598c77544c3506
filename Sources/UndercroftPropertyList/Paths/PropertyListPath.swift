/// A path of keys and indices that leads to a value of a property list.
///
/// The text of a path separates its components by dots, as in `loans.0.title`. A backslash before
/// a dot or a backslash makes it a part of a key.
public struct PropertyListPath: Sendable, Hashable, CustomStringConvertible {
  /// The keys and indices, of which an empty path has none.
  public let components: [String]

  /// Creates a path of components that may contain any characters.
  ///
  /// - Parameter components: the keys of dictionaries and the indices of arrays.
  public init(_ components: [String]) { self.components = components }

  /// Creates a path from its text.
  ///
  /// - Parameter text: the components, separated by dots; an empty text is the path of the root.
  public init(_ text: String) {
    guard !text.isEmpty else {
      components = []
      return
    }
    var components: [String] = []
    var component = ""
    var isEscaped = false
    for scalar in text.unicodeScalars {
      if isEscaped {
        // Another character after a backslash is not special, so the backslash is one too.
        if scalar != "." && scalar != "\\" { component.unicodeScalars.append("\\") }
        component.unicodeScalars.append(scalar)
        isEscaped = false
      } else if scalar == "\\" {
        isEscaped = true
      } else if scalar == "." {
        components.append(component)
        component = ""
      } else {
        component.unicodeScalars.append(scalar)
      }
    }
    if isEscaped { component.unicodeScalars.append("\\") }
    components.append(component)
    self.components = components
  }

  /// The text of the path, from which `init(_:)` creates an equal path.
  ///
  /// The paths of no component and of one empty component have the same text.
  public var description: String {
    components.map { component in
      var text = ""
      for scalar in component.unicodeScalars {
        if scalar == "." || scalar == "\\" { text.unicodeScalars.append("\\") }
        text.unicodeScalars.append(scalar)
      }
      return text
    }.joined(separator: ".")
  }

  // Paths are equal if their code points are equal, unlike strings.
  public static func == (lhs: PropertyListPath, rhs: PropertyListPath) -> Bool {
    lhs.components.elementsEqual(rhs.components) { $0.utf8.elementsEqual($1.utf8) }
  }
}
