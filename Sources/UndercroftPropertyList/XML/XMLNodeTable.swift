/// The elements of an XML property list as a table, with 16 bytes for each element.
///
/// Element 0 is the outermost element, apart from the element plist, which is not in the table.
struct XMLNodeTable: Sendable {
  struct Node: Sendable {
    let element: XMLElement
    /// Whether the text contains neither references, sections nor comments.
    var isPlain = true
    /// The offset of the start tag.
    let offset: UInt32
    /// The range of the text, or for a container the range of its elements in `children`.
    ///
    /// The keys of a dictionary precede its values.
    var lower: UInt32 = 0
    var upper: UInt32 = 0

    var range: Range<Int> { lower <= upper ? Int(lower)..<Int(upper) : 0..<0 }
  }

  /// The maximum number of arrays and dictionaries that contain each other.
  var depth = 0
  var nodes: [Node] = []
  var children: [UInt32] = []
}
