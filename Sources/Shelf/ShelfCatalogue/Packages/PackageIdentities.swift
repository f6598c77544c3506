import Undercroft

/// A generator of unique identities for the packages of a list.
///
/// A list can contain several versions of one package.
public struct PackageIdentities {
  private var taken: Set<ExactString> = []
  /// The next number to try for each "name:architecture" that occurred before.
  private var next: [ExactString: Int] = [:]

  /// Creates a generator for a new list.
  public init() {}

  /// Returns "name:architecture", followed by "#" and a number if the identity is already in use.
  ///
  /// The total time for a list is linear in its length, even if many packages have the same name.
  public mutating func identity(of name: String, _ architecture: String) -> String {
    let plain = "\(name):\(architecture)"
    if taken.insert(ExactString(plain)).inserted { return plain }
    var number = next[ExactString(plain)] ?? 2
    while !taken.insert(ExactString("\(plain)#\(number)")).inserted { number += 1 }
    next[ExactString(plain)] = number + 1
    return "\(plain)#\(number)"
  }
}
