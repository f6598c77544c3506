import Synchronization
import UndercroftFoundation

/// A reader of the values of a parsed XML property list.
///
/// A class, so that the collections of references and the events of a walk remain small values.
final class XMLPropertyList: Sendable {
  /// The longest text of a number or a date, in bytes, so that no number takes long to decode.
  private static let maximumNumberLength = 1024

  let bytes: [UInt8]
  let table: XMLNodeTable
  /// The lines of the text, from the first error on.
  private let locations = Mutex<XMLLocations?>(nil)

  var root: PropertyListReference { PropertyListReference(number: 0) }
  var objectCount: Int { table.nodes.count }

  /// Returns the number of the element at a position in the elements of all containers.
  func child(at position: Int) -> Int { Int(table.children[position]) }

  init(_ data: Data) throws(PropertyListError) {
    bytes = try XMLEncoding.utf8(data)
    table = try XMLParser.parse(bytes)
  }

  func location(
    of reference: PropertyListReference
  ) throws(PropertyListError) -> PropertyListError.Location {
    location(of: try node(reference))
  }

  private func location(of node: XMLNodeTable.Node) -> PropertyListError.Location {
    locations.withLock { locations in
      let index = locations ?? XMLLocations(bytes)
      locations = index
      return index.location(of: Int(node.offset), in: bytes)
    }
  }

  /// Returns the value of an element.
  func value(
    at reference: PropertyListReference
  ) throws(PropertyListError) -> PropertyListValue {
    let node = try node(reference)
    switch node.element {
    case .plist, .array: return .array(PropertyListReferences(self, node.range))
    case .dict: return uid(node) ?? dictionary(node)
    case .key, .string: return .string(try text(node))
    case .true, .false: return .boolean(try boolean(node))
    case .integer: return .integer(try integer(node))
    case .real: return .real(try real(node))
    case .date: return .date(secondsSince2001: try date(node, before1582: .gregorian))
    case .data: return .data(try data(node))
    }
  }

  private func dictionary(_ node: XMLNodeTable.Node) -> PropertyListValue {
    let range = node.range
    let middle = range.lowerBound + range.count / 2
    return .dictionary(
      keys: PropertyListReferences(self, range.lowerBound..<middle),
      values: PropertyListReferences(self, middle..<range.upperBound))
  }

  /// Returns a UID, which XML represents as a dictionary with the only key `CF$UID`.
  private func uid(_ node: XMLNodeTable.Node) -> PropertyListValue? {
    guard node.range.count == 2,
      case .dictionary(let keys, let values) = dictionary(node),
      let key = keys.first, let reference = values.first, isString(key, equalTo: "CF$UID"),
      case .integer(let number) = try? value(ofInteger: reference),
      let number = UInt64(exactly: number)
    else { return nil }
    return .uid(number)
  }

  /// Returns the value of an element if it is an integer, so that a UID contains no dictionary.
  private func value(
    ofInteger reference: PropertyListReference
  ) throws(PropertyListError) -> PropertyListValue {
    let node = try node(reference)
    guard node.element == .integer else { throw error(node, "a UID is not an integer") }
    return .integer(try integer(node))
  }

  // MARK: Scalars

  func boolean(_ node: XMLNodeTable.Node) throws(PropertyListError) -> Bool {
    guard XMLScalars.trimmed(try decoded(node)).isEmpty else {
      throw error(node, "the element \(node.element.name) contains text")
    }
    return node.element == .true
  }

  func integer(_ node: XMLNodeTable.Node) throws(PropertyListError) -> Int128 {
    try number(node, "not an integer of at most 128 bits", XMLScalars.integer)
  }

  func real<Real: LosslessStringConvertible & SendableMetatype>(
    _ node: XMLNodeTable.Node
  ) throws(PropertyListError) -> Real {
    try number(node, "not a real number", XMLScalars.real)
  }

  func date(
    _ node: XMLNodeTable.Node, before1582 calendar: PropertyListDate.EarlyCalendar
  ) throws(PropertyListError) -> Double {
    try number(node, "not a date such as 2001-01-31T12:00:00Z") { text in
      PropertyListDate.seconds(text, before1582: calendar)
    }
  }

  func data(_ node: XMLNodeTable.Node) throws(PropertyListError) -> Data {
    guard let data = XMLScalars.base64(try decoded(node)) else {
      throw error(node, "the data is not valid Base64 with padding")
    }
    return data
  }

  private func number<Number>(
    _ node: XMLNodeTable.Node, _ reason: String, _ decode: (ArraySlice<UInt8>) -> Number?
  ) throws(PropertyListError) -> Number {
    guard node.range.count <= Self.maximumNumberLength,
      let number = decode(XMLScalars.trimmed(try decoded(node)))
    else { throw error(node, "the text of the element \(node.element.name) is \(reason)") }
    return number
  }

  // MARK: Text

  func text(_ node: XMLNodeTable.Node) throws(PropertyListError) -> String {
    guard let text = String(validating: try decoded(node), as: UTF8.self) else {
      throw error(node, "the string is not valid UTF-8")
    }
    return text
  }

  func decoded(_ node: XMLNodeTable.Node) throws(PropertyListError) -> ArraySlice<UInt8> {
    guard node.range.upperBound <= bytes.count else { return [] }
    if node.isPlain { return bytes[node.range] }
    return try XMLScalars.decodedText(bytes, node.range)[...]
  }

  func node(
    _ reference: PropertyListReference
  ) throws(PropertyListError) -> XMLNodeTable.Node {
    guard table.nodes.indices.contains(reference.number) else {
      throw PropertyListError(
        location: .line(1, column: 1),
        reason: "object \(reference.number) does not exist; the number of objects is "
          + "\(objectCount)")
    }
    return table.nodes[reference.number]
  }

  func error(_ node: XMLNodeTable.Node, _ reason: String) -> PropertyListError {
    PropertyListError(location: location(of: node), reason: reason)
  }

  // MARK: Strings

  /// Returns the number of bytes of the text of an element, or 0 for a container.
  func decodedSize(of reference: PropertyListReference) -> Int {
    guard let node = try? node(reference), !node.element.isContainer else { return 0 }
    return node.range.count
  }

  /// Returns whether an element is a string whose text has more than `length` bytes in the file.
  func isString(_ reference: PropertyListReference, longerThan length: Int) -> Bool {
    guard let node = try? node(reference), node.element == .key || node.element == .string else {
      return false
    }
    return node.range.count > length
  }

  func isString(_ reference: PropertyListReference, equalTo text: String) -> Bool {
    guard let node = try? node(reference), node.element == .key || node.element == .string,
      node.range.upperBound <= bytes.count
    else { return false }
    if node.isPlain {
      // The lengths differ for most keys, and comparing them is fast.
      guard node.range.count == text.utf8.count else { return false }
      return bytes[node.range].elementsEqual(text.utf8)
    }
    // A character has at most 32 bytes as a reference. Sections and comments are rare in keys.
    guard node.range.count / 64 <= text.utf8.count else { return false }
    return (try? decoded(node))?.elementsEqual(text.utf8) ?? false
  }
}
