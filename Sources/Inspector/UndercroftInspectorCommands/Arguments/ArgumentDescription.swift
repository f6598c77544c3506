/// The description of one argument of a command.
struct ArgumentDescription: Decodable {
  /// The form in which an argument is passed.
  enum Kind: String, Decodable {
    case positional = "positional"
    case option = "option"
    case flag = "flag"
  }

  /// One of the names of an option or flag.
  struct Name: Decodable {
    let kind: String
    let name: String

    enum CodingKeys: String, CodingKey {
      case kind = "kind"
      case name = "name"
    }

    /// The name with its hyphens, such as `--kind`.
    var text: String { (kind == "long" ? "--" : "-") + name }
  }

  let kind: Kind
  let shouldDisplay: Bool
  let isOptional: Bool
  let isRepeating: Bool
  let names: [Name]?
  let valueName: String?
  let defaultValue: String?
  /// The only values that the argument accepts, or `nil` if it accepts others.
  let allValues: [String]?
  let abstract: String?
  let discussion: String?

  enum CodingKeys: String, CodingKey {
    case kind = "kind"
    case shouldDisplay = "shouldDisplay"
    case isOptional = "isOptional"
    case isRepeating = "isRepeating"
    case names = "names"
    case valueName = "valueName"
    case defaultValue = "defaultValue"
    case allValues = "allValues"
    case abstract = "abstract"
    case discussion = "discussion"
  }
}
