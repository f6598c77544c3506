// FoundationEssentials is preferred, because it has no methods of `NSString`,
// which are further overloads of methods that the standard library gives `String`.
#if canImport(FoundationEssentials)
  @_exported public import FoundationEssentials
#else
  @_exported public import Foundation
#endif
