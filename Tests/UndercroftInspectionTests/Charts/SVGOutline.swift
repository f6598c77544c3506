import UndercroftInspection

/// The elements of an SVG document, found by a parser of the small part of XML that charts use.
///
/// The parser rejects everything else, such as comments, CDATA sections and unknown entities.
struct SVGOutline {
  struct Element {
    var name: String
    var attributes: [String: String]
    var text = ""
  }

  struct Malformed: Error {
    var reason: String
  }

  private(set) var elements: [Element] = []
  private var open: [Int] = []
  private var rest: Substring.UnicodeScalarView

  init(_ document: String) throws {
    rest = Substring(document).unicodeScalars
    while !rest.isEmpty {
      if rest.first == "<" { try readTag() } else { try readText() }
    }
    if !open.isEmpty || elements.isEmpty { throw Malformed(reason: "an element is not closed") }
  }

  /// Returns the numbers of an attribute of all elements with a name.
  func numbers(_ attribute: String, of name: String) -> [Double] {
    elements.filter { $0.name == name }.compactMap { $0.attributes[attribute].flatMap(Double.init) }
  }

  /// The texts of all elements with a name.
  func texts(of name: String) -> [String] { elements.filter { $0.name == name }.map(\.text) }

  private mutating func readTag() throws {
    guard let end = rest.firstIndex(of: ">") else { throw Malformed(reason: "a tag has no end") }
    var tag = rest[..<end].dropFirst()
    rest = rest[end...].dropFirst()
    if tag.first == "/" {
      guard let last = open.popLast(), elements[last].name == String(tag.dropFirst()) else {
        throw Malformed(reason: "unexpected end of \(String(tag))")
      }
      return
    }
    let isEmpty = tag.last == "/"
    if isEmpty { tag = tag.dropLast() }
    let name = tag.prefix { $0 != " " }
    guard !name.isEmpty, name.allSatisfy({ ("a"..."z").contains($0) }) else {
      throw Malformed(reason: "unexpected tag \(String(tag))")
    }
    let attributes = try Self.attributes(tag.dropFirst(name.count))
    elements.append(Element(name: String(name), attributes: attributes))
    if !isEmpty { open.append(elements.count - 1) }
  }

  private static func attributes(
    _ text: Substring.UnicodeScalarView
  ) throws -> [String: String] {
    var result: [String: String] = [:]
    let parts = text.split(separator: "\"", omittingEmptySubsequences: false)
    guard parts.count % 2 == 1, parts.last?.isEmpty == true else {
      throw Malformed(reason: "an attribute is not quoted: \(String(text))")
    }
    for index in stride(from: 0, to: parts.count - 1, by: 2) {
      let name = String(parts[index])
      guard name.hasPrefix(" "), name.hasSuffix("=") else { throw Malformed(reason: name) }
      result[String(name.dropFirst().dropLast())] = try decoded(parts[index + 1])
    }
    return result
  }

  private mutating func readText() throws {
    let text = rest.prefix { $0 != "<" }
    rest = rest.dropFirst(text.count)
    let decoded = try Self.decoded(text)
    if let last = open.last {
      elements[last].text += decoded
    } else if decoded.unicodeScalars.contains(where: { $0 != "\n" }) {
      throw Malformed(reason: "text outside of the root: \(decoded)")
    }
  }

  private static func decoded(_ text: Substring.UnicodeScalarView) throws -> String {
    let entities = ["amp": "&", "lt": "<", "gt": ">", "quot": "\"", "#39": "'"]
    var result = ""
    var rest = text
    while let scalar = rest.popFirst() {
      guard scalar == "&" else {
        if scalar.value < 32, scalar != "\n" { throw Malformed(reason: "a control character") }
        if scalar.value & 0xfffe == 0xfffe { throw Malformed(reason: "a noncharacter") }
        result.unicodeScalars.append(scalar)
        continue
      }
      let name = rest.prefix { $0 != ";" }
      guard let entity = entities[String(name)] else { throw Malformed(reason: String(name)) }
      result += entity
      rest = rest.dropFirst(name.count + 1)
    }
    return result
  }
}

extension String {
  /// The lines of an SVG document after its style sheet.
  var drawing: String {
    let parts = split(separator: "</style>\n", maxSplits: 1)
    return parts.count == 2 ? String(parts[1]) : self
  }
}
