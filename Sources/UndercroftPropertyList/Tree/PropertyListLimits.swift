/// The limits of a walk over a property list.
public struct PropertyListLimits: Sendable, Hashable {
  /// The maximum number of containers that contain each other.
  public var depth: Int
  /// The maximum number of events other than ends of containers.
  public var nodeCount: Int
  /// The maximum size of all decoded strings and of data in XML, also damaged ones, in bytes.
  ///
  /// Many references to one long string decode it many times. The last string may exceed the
  /// limit, but no value follows it.
  public var textSize: Int

  /// Creates limits.
  ///
  /// - Parameters:
  ///   - depth: the maximum number of containers that contain each other.
  ///   - nodeCount: the maximum number of events other than ends of containers.
  ///   - textSize: the maximum size of all decoded strings, in bytes.
  public init(depth: Int = 512, nodeCount: Int = 1_000_000, textSize: Int = 64 << 20) {
    self.depth = depth
    self.nodeCount = nodeCount
    self.textSize = textSize
  }
}
