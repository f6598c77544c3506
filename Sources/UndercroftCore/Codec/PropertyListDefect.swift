/// The reason why a property list is rejected before Foundation decodes it.
enum PropertyListDefect: Error {
  case notText
  case tooDeep
  case endless
  case tooManyObjects
  case objectTooLarge

  /// The reason as a clause of a message.
  var reason: String {
    switch self {
    case .notText: "the property list is not text in UTF-8 or UTF-16"
    case .tooDeep:
      "the property list is nested more than 513 (XML) or 8192 (binary) levels deep"
    case .endless: "an array or dictionary of the property list contains itself"
    case .tooManyObjects:
      "the property list refers to objects so often that decoding would need too much memory"
    case .objectTooLarge: "an object declares a size larger than the property list"
    }
  }
}
