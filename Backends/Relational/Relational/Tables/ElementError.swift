/// One record of several was refused.
public struct ElementError: Error, CustomStringConvertible {
  /// Its place among those that were to be written, from 0.
  public let index: Int
  /// Why it was refused.
  public let underlying: any Error

  public var description: String { "cannot write the element \(index): \(underlying)" }
}

extension ElementError {
  /// Runs `body` with one element after the other, and says of which it throws.
  static func forEach<Element>(
    _ elements: some Sequence<Element>, _ body: (Element) throws -> Void
  ) throws {
    for (index, element) in elements.enumerated() {
      do { try body(element) } catch { throw ElementError(index: index, underlying: error) }
    }
  }
}
