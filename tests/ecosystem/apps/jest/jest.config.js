export default { testEnvironment: 'jsdom' };
